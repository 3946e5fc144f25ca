export { PushSocket } from './socket.ts';
export type { AckFailure, AckOutcome, Obeyed, PushEvent, PushSnapshot, PushStatus, TopicHandler } from './socket.ts';
export { usePushTopic } from './userPush.ts';
