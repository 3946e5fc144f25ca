/** The list, and one past meeting. */
export const HISTORY_PATH = '/meetingHistory';
export const recordPath = (id: string): string => `/meeting-record-details/${id}`;
