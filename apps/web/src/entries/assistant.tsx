import { loadPage } from './loadPage.ts';
import { start } from './start.tsx';

// Not a part of the start, which all pages share.
const AssistantPage = loadPage(
  async () => (await import('../features/assistant/assistantPage/AssistantPage.tsx')).AssistantPage,
);

void start(<AssistantPage />);
