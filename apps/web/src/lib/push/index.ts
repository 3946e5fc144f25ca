export { PushSocket } from './socket.ts';
export type { AckFailure, Obeyed, PushEvent, PushSnapshot, PushStatus, TopicHandler } from './socket.ts';
export { usePushTopic } from './userPush.ts';
