export { IdentityProvidersPage } from './IdentityProvidersPage.tsx';
