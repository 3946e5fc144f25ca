/** The list of past meetings. */
export const HISTORY_PATH = '/meetingHistory';
