export { followLinks, takeSecret } from './secret.ts';
export { SetupPage } from './SetupPage.tsx';
