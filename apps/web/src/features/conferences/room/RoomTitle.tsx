import type { ConferenceState } from '@rmeet/contract';
import { lazy, Suspense, useRef, useState } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';

const MeetingDetails = lazy(async () => ({ default: (await import('./invite/MeetingDetails.tsx')).MeetingDetails }));

/** The subject; a press on it shows the details of the meeting. */
export function RoomTitle({ title, conference }: { title: string; conference: ConferenceState | null }) {
  const t = useT();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  if (conference === null) return <h1 title={title}>{title}</h1>;
  return (
    <>
      <h1 className="room-heading">
        <button
          ref={button}
          type="button"
          className="room-title"
          title={t('details.open', { subject: title })}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          data-testid="room-title"
          onClick={() => setOpen(!isOpen)}
        >
          <span>{title}</span>
          <Icon name="down" size={16} />
        </button>
      </h1>
      {isOpen && (
        <Suspense fallback={null}>
          <MeetingDetails
            title={title}
            conference={conference}
            anchor={() => button.current}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
