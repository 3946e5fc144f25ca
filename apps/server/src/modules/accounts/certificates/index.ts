export { clearChallenges, createCertificates, defineCertificateJobs } from './service.ts';
