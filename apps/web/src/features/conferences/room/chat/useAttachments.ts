import { useState, type ClipboardEvent } from 'react';
import type { ConferenceControl } from '@rmeet/conference';
import type { ChatFileRules } from '@rmeet/contract';
import type { Call } from '../../../../call/index.ts';
import { language } from '../../../../lib/i18n/index.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { useT, type T } from '../../texts.ts';
import { FILES_AT_ONCE, filesBarrier, sortFiles, type FileFault } from '../model/chat-files.ts';
import { chatPartners } from '../model/chat-partners.ts';

/** A file that goes with the next message. */
export interface Attached {
  /** Unique within this page. */
  key: string;
  file: File;
}

export interface Attachments {
  /** Whether the server knows files in the chat at all. */
  isOffered: boolean;
  /** Why the user cannot send files now, as a sentence; null if they can. */
  barrier: string | null;
  files: readonly Attached[];
  /** Why the last files were not added; null if all were. */
  fault: string | null;
  add: (files: readonly File[]) => void;
  /** Adds what was dropped; folders are refused. */
  addFrom: (transfer: DataTransfer) => void;
  /** Adds what was pasted, if it is no text. */
  paste: (event: ClipboardEvent) => void;
  remove: (key: string) => void;
  clear: () => void;
  /** Says again why files cannot be sent. */
  explain: () => void;
}

/** The files that go with the next message: chosen, dropped or pasted. */
export function useAttachments(call: Call): Attachments {
  const t = useT();
  const rules = useStorePart(call.store, ({ conference }) => conference?.chatFiles);
  const control = useStorePart(call.store, (state) => state.control);
  const [files, setFiles] = useState<readonly Attached[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const barrier = barrierWords(rules, control, call.termId, t);

  const wordsOf = (found: FileFault): string => {
    if (found.why === 'tooMany') return t('chatFiles.tooMany', { count: FILES_AT_ONCE });
    return t(`chatFiles.${found.why}`, { name: found.name, megabytes: rules?.megabytes });
  };
  const add = (added: readonly File[]) => {
    if (rules === undefined || barrier !== null) {
      setFault(barrier);
      return;
    }
    const sorted = sortFiles(added, files.length, rules);
    setFiles([...files, ...sorted.files.map((file) => ({ key: crypto.randomUUID(), file }))]);
    setFault(sorted.fault && wordsOf(sorted.fault));
  };
  const addFrom = (transfer: DataTransfer) => {
    const hasFolder = [...transfer.items].some((item) => item.webkitGetAsEntry()?.isDirectory === true);
    if (hasFolder) setFault(t('chatFiles.folder'));
    else add([...transfer.files].map((file) => named(file, (time) => t('chatFiles.pasted', { time }))));
  };
  return {
    isOffered: rules !== undefined,
    barrier,
    files,
    fault,
    add,
    addFrom,
    paste(event) {
      const { clipboardData: pasted } = event;
      // A copied text can come with a picture of itself; then the text is meant.
      if (rules === undefined || pasted.files.length === 0 || pasted.types.includes('text/plain')) return;
      event.preventDefault();
      addFrom(pasted);
    },
    remove(key) {
      setFiles(files.filter((each) => each.key !== key));
      setFault(null);
    },
    clear() {
      setFiles([]);
      setFault(null);
    },
    explain: () => setFault(barrier),
  };
}

/** Why the user cannot send files now, as a sentence; also if there is no one they may write to. */
function barrierWords(rules: ChatFileRules | undefined, control: ConferenceControl, me: string, t: T): string | null {
  const why = filesBarrier(rules, control, me);
  if (why !== null) return t(`chatFiles.barrier.${why}`);
  const { all, people } = chatPartners(control, me);
  return all || people.length > 0 ? null : t('chatMore.off');
}

/** Browsers call every pasted picture `image.png`: it gets the time in its name, so that several can be told apart. */
function named(file: File, name: (time: string) => string): File {
  if (file.name !== 'image.png') return file;
  const time = new Intl.DateTimeFormat(language(), { hour: '2-digit', minute: '2-digit', second: '2-digit' })
    .format(new Date())
    .replaceAll(':', '.');
  return new File([file], `${name(time)}.png`, { type: file.type });
}
