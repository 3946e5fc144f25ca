export { PushSocket } from './socket.ts';
export type { PushEvent, PushStatus, TopicHandler } from './socket.ts';
export { usePushTopic } from './userPush.ts';
