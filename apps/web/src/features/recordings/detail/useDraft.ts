import type { RecordingEdit } from '@rmeet/contract';
import { useState } from 'react';
import { NO_EDIT } from './edit.ts';

export interface Draft {
  edit: RecordingEdit;
  canUndo: boolean;
  /** `isFollowUp`: continues the last change, as when an edge is dragged on; undone with it. */
  change: (edit: RecordingEdit, isFollowUp?: boolean) => void;
  undo: () => void;
}

/** An edit that is not saved yet, with what it was before each change. */
export function useDraft(saved: RecordingEdit | null): Draft {
  const [steps, setSteps] = useState<readonly RecordingEdit[]>([saved ?? NO_EDIT]);
  return {
    edit: steps.at(-1) ?? NO_EDIT,
    canUndo: steps.length > 1,
    change: (edit, isFollowUp = false) =>
      setSteps((now) => [...(isFollowUp && now.length > 1 ? now.slice(0, -1) : now), edit]),
    undo: () => setSteps((now) => (now.length > 1 ? now.slice(0, -1) : now)),
  };
}
