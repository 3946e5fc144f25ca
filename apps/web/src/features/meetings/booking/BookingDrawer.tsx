import type { Meeting } from '@rmeet/contract';
import { useRef } from 'react';
import { Navigate } from 'react-router';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask } from '../../../lib/notify.ts';
import { manualLivePath } from '../../../lib/paths.ts';
import { useProfile } from '../../../lib/profile.ts';
import { Button } from '../../../ui/Button.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { Loading } from '../../../ui/states.tsx';
import { BookingFields } from './BookingFields.tsx';
import { ConflictNotice } from './ConflictNotice.tsx';
import { Missing } from '../detail/Missing.tsx';
import { isOutsideStream, type Preset } from './draft.ts';
import { useMeetingToEdit } from '../queries.ts';
import { bookableTypes } from '../types.ts';
import { useBooking } from './useBooking.ts';

interface BookingDrawerProps {
  /** A meeting's id, or `new`. */
  id: string;
  /** Initial values of a new meeting. */
  preset: Preset | null;
  /** A number that changes at each opening. */
  opening: number;
  open: boolean;
  onClose: () => void;
  onBooked: (meeting: Meeting) => void;
}

/** Books or changes a meeting; the broadcast of an outside stream has a page of its own. */
export function BookingDrawer({ id, preset, opening, open, onClose, onBooked }: BookingDrawerProps) {
  const isNew = id === 'new';
  const found = useMeetingToEdit(isNew ? null : id, opening);
  const { data: meeting } = found;
  if (meeting && isOutsideStream(meeting)) return <Navigate to={manualLivePath(id)} replace />;
  if (isNew || meeting)
    return <BookingForm meeting={meeting ?? null} preset={preset} open={open} onClose={onClose} onBooked={onBooked} />;
  return (
    <WaitingDrawer
      open={open}
      failure={found.isError ? { error: found.error, retry: () => void found.refetch() } : null}
      onClose={onClose}
    />
  );
}

interface Failure {
  error: unknown;
  retry: () => void;
}

function WaitingDrawer({ open, failure, onClose }: { open: boolean; failure: Failure | null; onClose: () => void }) {
  const t = useTexts('meetings');
  return (
    <SideDrawer title={t('form.titleEdit')} open={open} onClose={onClose} testId="booking-waiting">
      {failure ? <Missing {...failure} /> : <Loading />}
    </SideDrawer>
  );
}

interface BookingFormProps extends Omit<BookingDrawerProps, 'id' | 'opening'> {
  /** Null for a new one. */
  meeting: Meeting | null;
}

function BookingForm({ meeting, preset, open, onClose, onBooked }: BookingFormProps) {
  const t = useTexts('meetings');
  const common = useTexts('common');
  const form = useRef<HTMLFormElement>(null);
  const focusFirstFault = () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  const types = bookableTypes(useProfile()?.flags);
  const booking = useBooking(
    { meeting, preset, type: types[0] ?? 'NETWORK_MEETING' },
    { onSaved: meeting ? onClose : onBooked, onFaults: () => requestAnimationFrame(focusFirstFault) },
  );

  const close = async () => {
    const { isDirty } = booking;
    const sure =
      !isDirty ||
      (await ask({
        title: t('form.discardTitle'),
        text: t('form.discardText'),
        okText: t('form.discard'),
        cancelText: t('form.keep'),
        danger: true,
      }));
    if (sure) onClose();
  };

  return (
    <SideDrawer
      title={t(meeting ? 'form.titleEdit' : 'form.titleNew')}
      open={open}
      onClose={() => void close()}
      testId="booking"
      help="book"
      footer={
        <>
          <Button data-testid="meeting-dismiss" onClick={() => void close()}>
            {common('cancel')}
          </Button>
          <Button
            kind="primary"
            busy={booking.isSaving || booking.isSaved}
            data-testid="meeting-submit"
            onClick={() => void booking.submit()}
          >
            {t(meeting ? 'form.submitEdit' : 'form.submitNew')}
          </Button>
        </>
      }
    >
      {/* Enter belongs to the pickers inside, so it must not submit the form. */}
      <form ref={form} className="booking" noValidate onSubmit={(event) => event.preventDefault()}>
        {booking.conflict && <ConflictNotice conflict={booking.conflict} rooms={meeting?.rooms} />}
        <BookingFields meeting={meeting} types={types} booking={booking} />
      </form>
    </SideDrawer>
  );
}
