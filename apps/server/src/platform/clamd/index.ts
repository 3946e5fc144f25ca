export { scanWith, type ScanResult, type ScannerAddress } from './clamd.ts';
