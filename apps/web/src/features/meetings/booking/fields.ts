import type { Meeting } from '@rmeet/contract';
import type { Draft } from './draft.ts';
import type { FieldErrors } from './useBooking.ts';

/** Props of every section of the booking form. */
export interface FieldsProps {
  /** The meeting being edited; null for a new one. */
  meeting: Meeting | null;
  draft: Draft;
  errors: FieldErrors;
  onChange: (part: Partial<Draft>) => void;
}
