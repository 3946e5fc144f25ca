import { eq, isNotNull } from 'drizzle-orm';
import {
  ENTRY_TYPES,
  PERMISSION_CODES,
  permissionDefinition,
  USER_MANAGE_TYPES,
  type PermissionCode,
} from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { permission } from './tables.ts';

/** The menu entries of the product, by a name that stays when an administrator renames them. */
interface BuiltInMenu {
  zh: string;
  en: string;
  url: string;
  component: string;
  icon: string;
  isAdmin: boolean;
  /** The code required to see it; without one, the entry itself is granted. */
  code?: PermissionCode;
  parent?: string;
  redirect?: string;
  userManageType?: 1 | 2 | 3 | 4;
  /** Its component has no page of its own. */
  isLayout?: boolean;
}

const management = { isAdmin: false, userManageType: USER_MANAGE_TYPES.management };

const BUILT_IN_MENUS = {
  myMeeting: {
    zh: '我的会议',
    en: 'My meetings',
    url: '/myMeeting',
    component: 'MyMeeting',
    icon: 'calendar',
    isAdmin: false,
  },
  meetingHistory: {
    zh: '会议记录',
    en: 'Meeting history',
    url: '/meetingHistory',
    component: 'MeetingHistory',
    icon: 'history',
    isAdmin: false,
  },
  recordMeeting: {
    zh: '录制管理',
    en: 'Recordings',
    url: '/record-meeting',
    component: 'RecordMeeting',
    icon: 'video',
    isAdmin: false,
  },
  occupyRoom: {
    zh: '会议室占用',
    en: 'Room occupancy',
    url: '/occupyRoom',
    component: 'OccupyRoom',
    icon: 'book',
    isAdmin: false,
  },
  approvals: {
    zh: '会议审批',
    en: 'Approvals',
    url: '/approvals',
    component: 'Approvals',
    icon: 'approval',
    isAdmin: false,
    code: 'sys:approve',
  },
  documents: {
    zh: '会议文档',
    en: 'Documents',
    url: '/editor',
    component: 'Documents',
    icon: 'document',
    isAdmin: false,
  },
  liveMeeting: {
    zh: '直播管理',
    en: 'Live broadcasts',
    url: '/live-meeting',
    component: 'LiveMeeting',
    icon: 'live',
    isAdmin: false,
    userManageType: USER_MANAGE_TYPES.live,
  },
  manualLive: {
    zh: '推流直播',
    en: 'External streams',
    url: '/manual-live',
    component: 'ManualLive',
    icon: 'stream',
    isAdmin: false,
    userManageType: USER_MANAGE_TYPES.live,
  },
  users: {
    ...management,
    zh: '用户管理',
    en: 'Users',
    url: '/users',
    component: 'Users',
    icon: 'people',
    code: 'users:manage',
  },
  rooms: {
    ...management,
    zh: '会议室',
    en: 'Rooms',
    url: '/rooms',
    component: 'Rooms',
    icon: 'room',
    code: 'rooms:manage',
  },
  terminals: {
    ...management,
    zh: '终端',
    en: 'Terminals',
    url: '/terminals',
    component: 'Terminals',
    icon: 'terminal',
    code: 'rooms:manage',
  },
  resources: {
    ...management,
    zh: '会议资源',
    en: 'Meeting resources',
    url: '/resources',
    component: 'Resources',
    icon: 'resource',
    code: 'resources:manage',
  },
  tenantSettings: {
    ...management,
    zh: '单位设置',
    en: 'Organisation settings',
    url: '/tenantSettings',
    component: 'TenantSettings',
    icon: 'settings',
    code: 'tenants:settings',
  },
  identityProviders: {
    ...management,
    zh: '单点登录',
    en: 'Single sign-on',
    url: '/identityProviders',
    component: 'IdentityProviders',
    icon: 'key',
    code: 'tenants:settings',
  },
  certificates: {
    ...management,
    zh: '证书登录',
    en: 'Certificates',
    url: '/certificates',
    component: 'Certificates',
    icon: 'shield',
    code: 'tenants:settings',
  },
  directories: {
    ...management,
    zh: '目录同步',
    en: 'Directories',
    url: '/directories',
    component: 'Directories',
    icon: 'staff',
    code: 'tenants:settings',
  },
  noticeTexts: {
    ...management,
    zh: '通知模板',
    en: 'Notice templates',
    url: '/noticeTexts',
    component: 'NoticeTexts',
    icon: 'bell',
    code: 'tenants:settings',
  },
  announcements: {
    ...management,
    zh: '公告管理',
    en: 'Announcements',
    url: '/announcements',
    component: 'Announcements',
    icon: 'megaphone',
    code: 'announcements:manage',
  },
  startApps: {
    ...management,
    zh: '首页应用',
    en: 'Start page apps',
    url: '/startApps',
    component: 'StartApps',
    icon: 'apps',
    code: 'start-apps:manage',
  },
  assistantSettings: {
    ...management,
    zh: '智能助手',
    en: 'Assistant',
    url: '/assistantSettings',
    component: 'AssistantSettings',
    icon: 'assistant',
    code: 'tenants:settings',
  },
  apiRecord: {
    ...management,
    zh: 'API 客户端',
    en: 'API clients',
    url: '/api-record',
    component: 'ApiRecord',
    icon: 'key',
    code: 'api-records:manage',
  },
  audit: {
    ...management,
    zh: '审计日志',
    en: 'Audit log',
    url: '/audit',
    component: 'AuditLog',
    icon: 'log',
    code: 'audit:read',
  },
  statistics: {
    ...management,
    zh: '统计',
    en: 'Statistics',
    url: '/statistics',
    component: 'Statistics',
    icon: 'chart',
    code: 'statistics:read',
  },
  'admin/tenants': {
    zh: '租户管理',
    en: 'Tenants',
    url: '/tenants',
    component: 'Tenants',
    icon: 'building',
    isAdmin: true,
    code: 'tenants:manage',
  },
  'admin/users': {
    zh: '用户管理',
    en: 'Users',
    url: '/users',
    component: 'Users',
    icon: 'people',
    isAdmin: true,
    code: 'users:manage',
  },
  'admin/operators': {
    zh: '运营人员',
    en: 'Operators',
    url: '/operators',
    component: 'Operators',
    icon: 'staff',
    isAdmin: true,
    code: 'operators:manage',
  },
  'admin/roles': {
    zh: '角色管理',
    en: 'Roles',
    url: '/roles',
    component: 'Roles',
    icon: 'shield',
    isAdmin: true,
    code: 'roles:manage',
  },
  'admin/permissions': {
    zh: '权限管理',
    en: 'Permissions',
    url: '/permissions',
    component: 'Permissions',
    icon: 'key',
    isAdmin: true,
    code: 'roles:manage',
  },
  'admin/menumanage': {
    zh: '菜单管理',
    en: 'Menus',
    url: '/menumanage',
    component: 'Layout',
    redirect: '/menumanage/index',
    icon: 'menu',
    isAdmin: true,
    code: 'menus:manage',
    isLayout: true,
  },
  'admin/menumanage/index': {
    zh: '菜单',
    en: 'Menus',
    url: '/menumanage/index',
    component: 'MenuManage',
    icon: 'menu',
    isAdmin: true,
    code: 'menus:manage',
    parent: 'admin/menumanage',
  },
  'admin/announcements': {
    zh: '平台公告',
    en: 'Announcements',
    url: '/announcements',
    component: 'Announcements',
    icon: 'megaphone',
    isAdmin: true,
    code: 'announcements:manage',
  },
  'admin/clientPackages': {
    zh: '客户端安装包',
    en: 'Client packages',
    url: '/client-packages',
    component: 'ClientPackages',
    icon: 'package',
    isAdmin: true,
    code: 'client-packages:manage',
  },
  'admin/apiRecord': {
    zh: 'API 客户端',
    en: 'API clients',
    url: '/api-record',
    component: 'ApiRecord',
    icon: 'key',
    isAdmin: true,
    code: 'api-records:manage',
  },
  'admin/audit': {
    zh: '审计日志',
    en: 'Audit log',
    url: '/audit',
    component: 'AuditLog',
    icon: 'log',
    isAdmin: true,
    code: 'audit:read',
  },
  'admin/statistics': {
    zh: '统计',
    en: 'Statistics',
    url: '/statistics',
    component: 'Statistics',
    icon: 'chart',
    isAdmin: true,
    code: 'statistics:read',
  },
} as const satisfies Record<string, BuiltInMenu>;

/** The parent page of a permission in the tree; features are below the meetings. */
const PAGE_OF: Partial<Record<PermissionCode, keyof typeof BUILT_IN_MENUS>> = {
  'users:manage': 'users',
  'users:grant': 'users',
  'rooms:manage': 'rooms',
  'resources:manage': 'resources',
  'sys:approve': 'approvals',
  'tenants:settings': 'tenantSettings',
  'announcements:manage': 'announcements',
  'start-apps:manage': 'startApps',
  'api-records:manage': 'apiRecord',
  'audit:read': 'audit',
  'statistics:read': 'statistics',
  'statistics:manage': 'statistics',
  'diagnostics:read': 'admin/statistics',
  'tenants:manage': 'admin/tenants',
  'operators:manage': 'admin/operators',
  'roles:manage': 'admin/roles',
  'menus:manage': 'admin/menumanage/index',
  'client-packages:manage': 'admin/clientPackages',
};

type NewEntry = Omit<typeof permission.$inferInsert, 'id' | 'tenantId' | 'pid' | 'createdAt'> & {
  builtIn: string;
  parent: string | undefined;
};

function builtInEntries(): NewEntry[] {
  const menus = Object.entries<BuiltInMenu>(BUILT_IN_MENUS).map(
    ([builtIn, { zh, en, url, component, icon, isAdmin, code, parent, redirect, userManageType, isLayout }], sort) => ({
      builtIn,
      parent,
      type: parent === undefined ? ENTRY_TYPES.menu : ENTRY_TYPES.page,
      code: code ?? null,
      name: zh,
      nameEn: en,
      url,
      redirect: redirect ?? '',
      icon,
      isAdmin,
      component,
      componentName: isLayout ? '' : component,
      userManageType: userManageType ?? USER_MANAGE_TYPES.meeting,
      sort,
    }),
  );
  const permissions = PERMISSION_CODES.map((code, sort) => {
    const page: keyof typeof BUILT_IN_MENUS = PAGE_OF[code] ?? 'myMeeting';
    const { zh, en } = permissionDefinition(code);
    return {
      builtIn: code,
      parent: page,
      type: ENTRY_TYPES.permission,
      code,
      name: zh,
      nameEn: en,
      isAdmin: BUILT_IN_MENUS[page].isAdmin,
      sort,
    };
  });
  return [...menus, ...permissions];
}

/**
 * Adds missing menu entries and permissions of the product, and keeps existing ones as the administrators changed them.
 * A manually created permission whose code the product now uses becomes the product's.
 *
 * @param tx of the platform's tenant
 * @returns the ids of all of them by their built-in name, and the names of new ones
 */
export async function ensureBuiltInEntries(
  tx: TenantTx,
  now: Date,
): Promise<{ ids: Map<string, string>; added: Set<string> }> {
  const added = new Set<string>();
  const ids = new Map(
    (await tx.find(permission, isNotNull(permission.builtIn))).map((row) => [row.builtIn ?? '', row.id]),
  );
  for (const { parent, ...entry } of builtInEntries()) {
    if (ids.has(entry.builtIn)) continue;
    const adopted =
      entry.type === ENTRY_TYPES.permission && entry.code
        ? await tx.update(
            permission,
            { builtIn: entry.builtIn },
            allOf(eq(permission.code, entry.code), eq(permission.type, ENTRY_TYPES.permission)),
          )
        : [];
    const [row] =
      adopted.length > 0
        ? adopted
        : await tx.insert(permission, {
            ...entry,
            id: newId(),
            pid: (parent !== undefined && ids.get(parent)) || null,
            createdAt: now,
          });
    if (row) ids.set(entry.builtIn, row.id);
    if (adopted.length === 0) added.add(entry.builtIn);
  }
  return { ids, added };
}
