import { loadPage } from './loadPage.ts';
import { start } from './start.tsx';

// Not imported at once: otherwise it would be part of the start of every page.
const DownloadsPage = loadPage(
  async () => (await import('../features/clientPackages/downloads/DownloadsPage.tsx')).DownloadsPage,
);

void start(<DownloadsPage />);
