export { BookableBeside } from './BookableBeside.tsx';
