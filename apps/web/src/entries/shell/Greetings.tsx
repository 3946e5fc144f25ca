import { Suspense } from 'react';
import { system } from '../../lib/browser.ts';
import { ImportantAnnouncements } from '../../features/announcements/reader/index.ts';
import { ReleaseNotes } from '../../features/releaseNotes/index.ts';

/** Dialogs that come by themselves, one after the other: what is new in this version, then important announcements. */
export function Greetings() {
  return (
    <Suspense fallback={null}>
      <ReleaseNotes>{system !== 'admin' && <ImportantAnnouncements />}</ReleaseNotes>
    </Suspense>
  );
}
