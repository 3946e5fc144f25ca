import type { Meeting } from '@rmeet/contract';
import type { Draft } from './draft.ts';
import type { FieldErrors } from './useBooking.ts';

/** What every part of the booking form is given. */
export interface FieldsProps {
  /** The meeting being edited; null for a new one. */
  meeting: Meeting | null;
  draft: Draft;
  errors: FieldErrors;
  onChange: (part: Partial<Draft>) => void;
}
