export { createPublisher, createPush, type PushServer } from './server.ts';
export { dropEventsBefore } from './store.ts';
export type { Push, PushCaller, PushEvent, PushMatch, TopicRules } from './types.ts';
