export { AppStrip } from './AppStrip.tsx';
export { appsQuery } from './queries.ts';
