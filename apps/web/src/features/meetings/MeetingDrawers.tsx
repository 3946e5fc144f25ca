import type { Meeting } from '@rmeet/contract';
import { useState } from 'react';
import { BookingDrawer } from './BookingDrawer.tsx';
import { DetailDrawer } from './DetailDrawer.tsx';
import type { MeetingActions } from './useMeetingActions.ts';

interface MeetingDrawersProps {
  openId: string | null;
  /** A meeting's id, or `new`. */
  editId: string | null;
  actions: MeetingActions;
  onClose: () => void;
  onEdit: (id: string) => void;
  onBooked: (meeting: Meeting) => void;
}

/** What opens beside the list. Each drawer keeps what it last showed while it slides out. */
export function MeetingDrawers({ openId, editId, actions, onClose, onEdit, onBooked }: MeetingDrawersProps) {
  return (
    <>
      <DetailDrawer id={useLast(openId)} open={openId !== null} actions={actions} onClose={onClose} onEdit={onEdit} />
      <BookingDrawer id={useLast(editId)} open={editId !== null} onClose={onClose} onBooked={onBooked} />
    </>
  );
}

function useLast(value: string | null): string | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}
