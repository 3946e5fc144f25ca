export { PushSocket } from './socket.ts';
export type { PushAuth, PushEvent, PushOptions, PushSnapshot, PushStatus, TopicHandler } from './socket.ts';
export { usePushTopic } from './userPush.ts';
