export { TenantSettingsPage } from './TenantSettingsPage.tsx';
export { TenantsPage } from './TenantsPage.tsx';
