/**
 * The permission codes the product itself knows (product document, section 3), and the account roles that include some
 * of them. Codes that a platform administrator adds exist only in the database.
 */

interface PermissionDefinition {
  zh: string;
  en: string;
  /** `feature`: something people use, which a tenant can be denied. `admin`: something people manage. */
  kind: 'feature' | 'admin';
  /** Which accounts it can be granted to, by a role or directly; empty if only an account role includes it. */
  grantableTo: readonly ('user' | 'operator')[];
  /** Name of the flag in the stored login user; 1 when the account has the code. */
  flag?: string;
  /** Whether the product checks this code today; the others are kept and shown as not used yet. */
  inUse: boolean;
}

const feature = (zh: string, en: string, flag?: string, inUse = false): PermissionDefinition => ({
  zh,
  en,
  kind: 'feature',
  grantableTo: ['user'],
  inUse,
  ...(flag === undefined ? {} : { flag }),
});
const admin = (zh: string, en: string, ...grantableTo: ('user' | 'operator')[]): PermissionDefinition => ({
  zh,
  en,
  kind: 'admin',
  grantableTo,
  inUse: true,
});

export const PERMISSIONS = {
  'sys:local': feature('本地会议', 'Local meetings', 'enableLocal', true),
  'sys:network': feature('网络会议', 'Network meetings', 'enableNet', true),
  'sys:video': feature('视频会议', 'Video meetings', 'enableVideo', true),
  'sys:tel': feature('电话会议', 'Telephone meetings', 'enableTel', true),
  'sys:tencent': feature('腾讯会议', 'Tencent meetings', 'enableTencent'),
  'sys:liveStreaming': feature('直播推流', 'Running live broadcasts', 'enableLiveStreaming', true),
  'sys:sms': feature('短信通知', 'Text message notices', 'enableSms', true),
  'sys:uploadMeetingFile': feature('上传会议文件', 'Meeting files', 'enableUploadMeetingFile', true),
  'sys:vipMeeting': feature('重要会议', 'Important meetings', 'enableVipMeeting', true),
  'sys:approve': feature('会议审批', 'Meeting approval', 'enableHuaxiApprove', true),
  'sys:rboardAdv': feature('高级白板', 'Advanced whiteboard', 'enableRboardAdv'),
  'sys:bookLive': feature('预约直播', 'Booking live broadcasts', 'enableBookLive', true),
  'sys:3DVirtualLive': feature('3D 虚拟直播', '3D virtual live', 'enable3DVirtualLive'),
  'sys:switchLiveResource': feature('切换直播资源', 'Switching live resources', 'enableSwitchLiveResource', true),
  'sys:pmicode': feature('固定会议号', 'Fixed meeting number', undefined, true),
  'sys:itbotEntrance': feature('智能助手入口', 'Assistant', undefined, true),
  'users:manage': admin('管理用户', 'Manage users', 'user', 'operator'),
  'users:grant': admin('授予角色与权限', 'Grant roles and permissions'),
  'rooms:manage': admin('管理会议室与终端', 'Manage rooms and terminals', 'user'),
  'resources:manage': admin('管理会议资源', 'Manage media resources', 'user'),
  'tenants:settings': admin('单位设置', 'Organisation settings', 'user'),
  'announcements:manage': admin('管理公告', 'Manage announcements', 'user', 'operator'),
  'start-apps:manage': admin('管理首页应用', 'Manage apps of the start page', 'user'),
  'tenants:manage': admin('管理租户', 'Manage tenants', 'operator'),
  'operators:manage': admin('管理运营人员', 'Manage operators'),
  'roles:manage': admin('管理角色与权限', 'Manage roles and permissions'),
  'menus:manage': admin('管理菜单', 'Manage menus'),
  'client-packages:manage': admin('管理客户端安装包', 'Manage client packages'),
  'api-records:manage': admin('管理 API 客户端', 'Manage API clients'),
  'audit:read': admin('查看审计日志', 'Read the audit log', 'user', 'operator'),
  'statistics:read': admin('查看统计', 'Read the statistics', 'user', 'operator'),
  'statistics:manage': admin('管理统计报告', 'Manage the statistics', 'user', 'operator'),
  'diagnostics:read': admin('下载诊断信息', 'Download diagnostics'),
} as const satisfies Record<string, PermissionDefinition>;

export type PermissionCode = keyof typeof PERMISSIONS;
export const PERMISSION_CODES = Object.keys(PERMISSIONS) as PermissionCode[];

export function permissionDefinition(code: PermissionCode): PermissionDefinition {
  return PERMISSIONS[code];
}

/** The codes tenants can be denied. */
export const FEATURE_CODES = PERMISSION_CODES.filter((code) => PERMISSIONS[code].kind === 'feature');
