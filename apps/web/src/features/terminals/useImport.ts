import { useEffect, useRef, useState } from 'react';
import { ApiError, reportError } from '../../lib/api/index.ts';
import { readBase64 } from '../../lib/base64.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { sendSheet, useRefreshTerminals } from './queries.ts';
import { fileFault, type ImportResult, type Sheet } from './sheet.ts';

/** The steps of an import: a file is chosen, then checked, then stored. */
export type ImportStep =
  | { at: 'choose'; fault: string | null }
  | { at: 'checked'; sheet: Sheet; result: ImportResult }
  | { at: 'done'; sheet: Sheet; result: ImportResult };

/** The work in progress, and the name of the file. */
export interface ImportWork {
  kind: 'check' | 'store';
  name: string;
}

/** Guides a workbook through the import steps. `cancel` stops the current step. */
// oxlint-disable-next-line max-lines-per-function -- one state machine of three steps
export function useImport() {
  const t = useTexts('terminals');
  const refresh = useRefreshTerminals();
  const [step, setStep] = useState<ImportStep>({ at: 'choose', fault: null });
  const [work, setWork] = useState<ImportWork | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const begin = (next: ImportWork): AbortSignal => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setWork(next);
    return controller.signal;
  };

  /** The server's answer for a worksheet, unless it was cancelled in the meantime. */
  const send = async (sheet: Sheet, signal: AbortSignal, dryRun: boolean): Promise<void> => {
    try {
      const result = await sendSheet(sheet.file, dryRun, signal);
      if (signal.aborted) return;
      // Rooms or terminals may have changed since the check; in that case nothing was stored.
      setStep({ at: dryRun || result.faults.length > 0 ? 'checked' : 'done', sheet, result });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.httpStatus === 406) setStep({ at: 'choose', fault: error.message });
      else reportError(error);
    } finally {
      if (!signal.aborted) setWork(null);
      if (!dryRun) void refresh();
    }
  };

  return {
    step,
    work,
    /** Reads a file and lets the server check it. */
    choose: async (file: File | undefined): Promise<void> => {
      if (!file) return;
      const fault = fileFault(file, t);
      if (fault !== null) {
        setStep({ at: 'choose', fault });
        return;
      }
      setStep({ at: 'choose', fault: null });
      const signal = begin({ kind: 'check', name: file.name });
      let sheet: Sheet;
      try {
        sheet = { name: file.name, file: await readBase64(file) };
      } catch {
        if (signal.aborted) return;
        setWork(null);
        setStep({ at: 'choose', fault: t('import.unread', { name: file.name }) });
        return;
      }
      if (!signal.aborted) await send(sheet, signal, true);
    },
    /** Stores the checked worksheet. */
    store: (sheet: Sheet): void => void send(sheet, begin({ kind: 'store', name: sheet.name }), false),
    cancel: (): void => {
      if (work === null) return;
      running.current?.abort();
      setWork(null);
      setStep({ at: 'choose', fault: null });
      // The server may already have received all of it.
      if (work.kind === 'store') toast('warning', () => t('import.cancelled'));
    },
  };
}
