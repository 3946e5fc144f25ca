import type { Meeting } from '@rmeet/contract';
import { useState } from 'react';
import { BookingDrawer } from '../booking/BookingDrawer.tsx';
import { DetailDrawer } from '../detail/DetailDrawer.tsx';
import type { Preset } from '../booking/draft.ts';
import type { MeetingActions } from '../useMeetingActions.ts';

interface MeetingDrawersProps {
  openId: string | null;
  /** A meeting's id, or `new`. */
  editId: string | null;
  /** Initial values of a new meeting. */
  preset: Preset | null;
  actions: MeetingActions;
  onClose: () => void;
  onEdit: (id: string) => void;
  onBooked: (meeting: Meeting) => void;
}

/** The drawers beside a list. Each keeps its content during the closing animation. */
export function MeetingDrawers({ openId, editId, preset, actions, onClose, onEdit, onBooked }: MeetingDrawersProps) {
  const lastOpen = useLast(openId);
  const lastEdit = useLast(editId);
  return (
    <>
      {lastOpen && (
        <DetailDrawer id={lastOpen.id} open={openId !== null} actions={actions} onClose={onClose} onEdit={onEdit} />
      )}
      {lastEdit && (
        <BookingDrawer
          key={lastEdit.opening}
          {...lastEdit}
          preset={preset}
          open={editId !== null}
          onClose={onClose}
          onBooked={onBooked}
        />
      )}
    </>
  );
}

/** The last id shown, with a number that changes at each opening. */
function useLast(id: string | null): { id: string; opening: number } | null {
  const [before, setBefore] = useState<string | null>(null);
  const [last, setLast] = useState<{ id: string; opening: number } | null>(null);
  if (id === before) return last;
  setBefore(id);
  if (id === null) return last;
  const next = { id, opening: (last?.opening ?? 0) + 1 };
  setLast(next);
  return next;
}
