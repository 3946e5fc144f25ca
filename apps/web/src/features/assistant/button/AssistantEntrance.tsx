import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { usePermission } from '../../../lib/access.ts';
import { session, system } from '../../../lib/browser.ts';
import { loadChunk } from '../../../lib/chunks.ts';

// Only some accounts have it.
const AssistantButton = lazy(() =>
  loadChunk(async () => ({ default: (await import('./AssistantButton.tsx')).AssistantButton })),
);

/**
 * The assistant's button on every page but the sign-in page, for accounts with the permission (product document,
 * section 1). Operators cannot have it.
 */
export function AssistantEntrance() {
  const { pathname } = useLocation();
  const isAllowed = usePermission('sys:itbotEntrance');
  if (!isAllowed || session.token === null || system === 'admin' || pathname === '/login') return null;
  // Another page is another button: the drawer closes when the route changes.
  return (
    <Suspense fallback={null}>
      <AssistantButton key={pathname} />
    </Suspense>
  );
}
