export type { Push, PushCaller, PushEvent, PushMatch, TopicRules } from './types.ts';
