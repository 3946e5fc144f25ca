/** Data type of drags within the desk; the value is a termId, or the source word for a seat. */
export const DRAGGED = 'application/x-rmeet-terminal';
