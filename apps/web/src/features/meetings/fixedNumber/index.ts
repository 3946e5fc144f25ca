export { FixedNumberPage } from './FixedNumberPage.tsx';
