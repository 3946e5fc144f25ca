/** What the field `component` of a menu entry may name: the layout alone, or a page. */
export const MENU_PAGES = [
  'MyMeeting',
  'MeetingHistory',
  'OccupyRoom',
  'Users',
  'Rooms',
  'Terminals',
  'Resources',
  'Approvals',
  'Tenants',
  'TenantSettings',
  'NoticeTexts',
  'Operators',
  'Roles',
  'Permissions',
  'MenuManage',
  'AuditLog',
] as const;
export type MenuPage = (typeof MENU_PAGES)[number];
export const LAYOUT = 'Layout';
