import type { ManualPage } from '@rmeet/manual/pages';
import type { MenuPage } from './menuComponents.ts';
import { LIVE_MEETINGS, RECORD, RECORDING, RECORDINGS, SHARED_RECORDING, WATCH } from './paths.ts';

/** The page of the manual for each page that menu entries may show. */
export const MANUAL_OF_MENU: Record<MenuPage, ManualPage> = {
  MyMeeting: 'my-meetings',
  MeetingHistory: 'history',
  RecordMeeting: 'recordings',
  LiveMeeting: 'live',
  ManualLive: 'external-streams',
  OccupyRoom: 'occupancy',
  Users: 'users',
  Rooms: 'rooms',
  Terminals: 'terminals',
  Resources: 'resources',
  Approvals: 'approvals',
  Tenants: 'tenants',
  TenantSettings: 'organisation',
  IdentityProviders: 'single-sign-on',
  Certificates: 'certificates',
  Directories: 'directories',
  NoticeTexts: 'notice-templates',
  Announcements: 'announcements',
  StartApps: 'start-apps',
  Statistics: 'statistics',
  ClientPackages: 'client-packages',
  Documents: 'documents',
  AssistantSettings: 'assistant-settings',
  Operators: 'operators',
  Roles: 'roles',
  Permissions: 'permissions',
  MenuManage: 'menus',
  ApiRecord: 'api-clients',
  AuditLog: 'audit',
};

/** The same for the other routes, by the beginning of their path; the first one that fits counts. */
export const MANUAL_OF_ROUTE: readonly (readonly [path: string, page: ManualPage])[] = [
  ['/login', 'sign-in'],
  ['/singleLogin', 'sign-in'],
  ['/singleLogout', 'sign-in'],
  ['/logout', 'sign-in'],
  ['/loading', 'sign-in'],
  ['/sso', 'sign-in'],
  ['/rmeetsso', 'sign-in'],
  ['/scan', 'sign-in'],
  ['/invitation', 'sign-in'],
  ['/join', 'join'],
  ['/clientDownload', 'downloads'],
  ['/icon', 'start-apps'],
  ['/editor', 'documents'],
  ['/404', 'start'],
  ['/meetingControl', 'desk'],
  ['/terminalstatus', 'status-wall'],
  ['/myMeeting', 'my-meetings'],
  ['/fixedMeetingNumber', 'fixed-number'],
  ['/userInfo', 'profile'],
  ['/api-reference', 'api-clients'],
  [RECORD, 'history'],
  [RECORDINGS, 'recordings'],
  [RECORDING, 'recordings'],
  [SHARED_RECORDING, 'shared-recording'],
  [LIVE_MEETINGS, 'live'],
  [WATCH, 'live'],
];

/** The page of the manual for a path of the app; `menuPage`: what its menu entry shows, if it is of one. */
export function manualPageOf(path: string, menuPage: MenuPage | null): ManualPage {
  if (menuPage !== null) return MANUAL_OF_MENU[menuPage];
  if (/^\/users\/[^/]+\/access$/.test(path)) return 'access';
  const isOf = (start: string): boolean => path === start || path.startsWith(`${start}/`);
  return MANUAL_OF_ROUTE.find(([start]) => isOf(start))?.[1] ?? 'start';
}
