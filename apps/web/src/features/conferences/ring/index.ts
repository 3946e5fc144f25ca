export { Ringing } from './Ringing.tsx';
