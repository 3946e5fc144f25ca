import type { FIRST_ACCESS, UserTask } from '@rmeet/contract';
import { useEffect, useRef, useState } from 'react';
import { ApiError, reportError } from '../../../lib/api/index.ts';
import { readBase64 } from '../../../lib/base64.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { checkSheet, taskCalls } from './queries.ts';
import { fileFault } from './taskTexts.ts';

/** Where an import is: a file is chosen, or its task is checked, runs or has ended. */
export type ImportStep = { at: 'choose'; fault: string | null } | { at: 'task'; name: string; task: UserTask };

/** Guides a sheet through the steps of an import. */
// oxlint-disable-next-line max-lines-per-function -- one state machine
export function useImport(tenant: string) {
  const t = useTexts('users');
  const calls = taskCalls(tenant);
  const [step, setStep] = useState<ImportStep>({ at: 'choose', fault: null });
  /** The file that is being checked. */
  const [checking, setChecking] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const ask = async (name: string, call: () => Promise<UserTask>): Promise<void> => {
    setIsAsking(true);
    try {
      setStep({ at: 'task', name, task: await call() });
    } catch (error) {
      reportError(error);
    } finally {
      setIsAsking(false);
    }
  };

  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const { name } = file;
    const fault = fileFault(file, t);
    setStep({ at: 'choose', fault });
    if (fault !== null) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setChecking(name);
    try {
      const bytes = await readBase64(file).catch(() => null);
      if (signal.aborted) return;
      if (bytes === null) setStep({ at: 'choose', fault: t('import.unread', { name }) });
      else {
        const task = await checkSheet(tenant, name, bytes, signal);
        if (!signal.aborted) setStep({ at: 'task', name, task });
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.httpStatus === 406) setStep({ at: 'choose', fault: error.message });
      else reportError(error);
    } finally {
      if (!signal.aborted) setChecking(null);
    }
  };

  return {
    step,
    checking,
    isAsking,
    choose,
    stopChecking: (): void => {
      running.current?.abort();
      setChecking(null);
    },
    start: (name: string, { id }: UserTask, firstAccess: (typeof FIRST_ACCESS)[number]): void =>
      void ask(name, () => calls.start(id, firstAccess)),
    stop: (name: string, { id }: UserTask): void => void ask(name, () => calls.cancel(id)),
    /** Shows a task: a former one, or one that has ended. */
    show: (name: string, task: UserTask): void => setStep({ at: 'task', name, task }),
  };
}
