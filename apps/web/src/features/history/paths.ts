/** The list, and one held meeting. */
export const HISTORY_PATH = '/meetingHistory';
export const recordPath = (id: string): string => `/meeting-record-details/${id}`;
