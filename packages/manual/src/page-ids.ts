/** The groups of the manual in their order: for whom a page is written. */
export const AUDIENCES = ['everyone', 'hosts', 'administrators', 'operators'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const MANUAL_LANGUAGES = ['zh', 'en'] as const;
export type ManualLanguage = (typeof MANUAL_LANGUAGES)[number];

/** The pages of the manual in reading order; each is a file of this name in `pages/zh` and `pages/en`. */
export const MANUAL_PAGES = [
  'start',
  'sign-in',
  'my-meetings',
  'book',
  'join',
  'room',
  'trouble',
  'occupancy',
  'history',
  'recordings',
  'shared-recording',
  'profile',
  'fixed-number',
  'notices',
  'start-page',
  'downloads',
  'assistant',
  'host',
  'meeting-files',
  'documents',
  'guests',
  'desk',
  'status-wall',
  'live',
  'external-streams',
  'approvals',
  'users',
  'access',
  'rooms',
  'terminals',
  'resources',
  'organisation',
  'single-sign-on',
  'certificates',
  'directories',
  'notice-templates',
  'announcements',
  'start-apps',
  'statistics',
  'api-clients',
  'audit',
  'assistant-settings',
  'tenants',
  'client-packages',
  'operators',
  'roles',
  'permissions',
  'menus',
  'setup',
] as const;
export type ManualPage = (typeof MANUAL_PAGES)[number];

/** The address of a page on its server; the start is `/help/index.html`, in English `/help/en/index.html`. */
export function manualAddress(language: ManualLanguage, page?: ManualPage, passage?: string): string {
  const folder = language === 'zh' ? '/help' : '/help/en';
  return `${folder}/${page ?? 'index'}.html${passage === undefined ? '' : `#${passage}`}`;
}
