/** Allowed values of a menu entry's field `component`: the layout only, or a page. */
export const MENU_PAGES = [
  'MyMeeting',
  'MeetingHistory',
  'RecordMeeting',
  'LiveMeeting',
  'ManualLive',
  'Documents',
  'OccupyRoom',
  'Users',
  'Rooms',
  'Terminals',
  'Resources',
  'Approvals',
  'Tenants',
  'TenantSettings',
  'IdentityProviders',
  'Certificates',
  'Directories',
  'NoticeTexts',
  'Operators',
  'Roles',
  'Permissions',
  'MenuManage',
  'ApiRecord',
  'AuditLog',
] as const;
export type MenuPage = (typeof MENU_PAGES)[number];
export const LAYOUT = 'Layout';
