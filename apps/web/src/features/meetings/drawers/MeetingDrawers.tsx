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
  /** What a new meeting starts from. */
  preset: Preset | null;
  actions: MeetingActions;
  onClose: () => void;
  onEdit: (id: string) => void;
  onBooked: (meeting: Meeting) => void;
}

/** The drawers next to a list. Each keeps its content while it slides out. */
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

/** The id last shown, with a number that is another one at each opening. */
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
