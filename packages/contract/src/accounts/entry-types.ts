/** Types of entries in the list of menus and permissions (product document, section 2). */
export const ENTRY_TYPES = { menu: 0, page: 1, permission: 2 } as const;

/** Groups of the sidebar (product document, sections 2 and 3). `management` entries appear in the manage app only. */
export const USER_MANAGE_TYPES = { meeting: 1, management: 2, classroom: 3, live: 4 } as const;
