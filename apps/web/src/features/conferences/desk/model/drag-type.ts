/** What is dragged within the desk carries its termId, or the word of what takes a seat, under this type. */
export const DRAGGED = 'application/x-rmeet-terminal';
