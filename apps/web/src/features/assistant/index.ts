export { AssistantEntrance } from './button/AssistantEntrance.tsx';
