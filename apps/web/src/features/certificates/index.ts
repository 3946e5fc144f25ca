export { CertificatesPage } from './CertificatesPage.tsx';
