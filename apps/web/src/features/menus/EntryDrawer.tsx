import { localName, type ManagedEntry } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { useForm } from '../../ui/admin/useForm.ts';
import { draftOf, faultsOf, newDraft } from './draft.ts';
import { EntryFields } from './EntryFields.tsx';
import { useNewestEntries, useSaveEntry } from './queries.ts';
import { useWords } from './words.ts';

interface EntryDrawerProps {
  /** Null for a new one. */
  entry: ManagedEntry | null;
  /** The parent of a new entry. */
  under: ManagedEntry | null;
  entries: readonly ManagedEntry[];
  open: boolean;
  onClose: () => void;
  onSaved: (saved: ManagedEntry) => void;
}

/** The form of an entry, with all its fields. */
export function EntryDrawer({ entry, under, entries, open, onClose, onSaved }: EntryDrawerProps) {
  const t = useTexts('menus');
  const language = useLanguage();
  const words = useWords(entries);
  const save = useSaveEntry();
  const newestEntries = useNewestEntries();
  const form = useForm({
    initial: entry ? draftOf(entry) : newDraft(under),
    version: entry?.version ?? 0,
    check: (draft) =>
      Object.fromEntries(Object.entries(faultsOf(draft)).map(([field, key]) => [field, t(`invalid.${key}`)])),
    send: (draft, version) => save.mutateAsync({ draft, edited: entry && { id: entry.id, version } }),
    newest: async () => {
      const now = (await newestEntries()).find(({ id }) => id === entry?.id) ?? entry;
      if (!now) throw new Error('A new entry cannot have been changed.');
      return { draft: draftOf(now), version: now.version };
    },
    fieldOf: { CODE_TAKEN: 'code', PARENT_UNFIT: 'pid' },
    onSaved: (saved) => {
      toast('success', () => t(entry ? 'form.saved' : 'form.created'));
      onSaved(saved);
    },
  });
  return (
    <FormDrawer
      title={entry ? t('form.titleEdit', { name: localName(entry, language) }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={words}
      {...(entry ? {} : { submitText: t('form.submitNew') })}
      testId="entry-form"
    >
      <EntryFields entry={entry} entries={entries} draft={form.draft} errors={form.errors} onChange={form.change} />
    </FormDrawer>
  );
}
