export { PushSocket } from './socket.ts';
export type { AckFailure, AckOutcome, Obeyed, PushEvent, PushSnapshot, PushStatus, TopicHandler } from './socket.ts';
export { closeUserPush, usePushTopic } from './userPush.ts';
