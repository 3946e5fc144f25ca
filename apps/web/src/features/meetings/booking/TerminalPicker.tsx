import { TERMINAL_KINDS } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import type { Terminal } from './draft.ts';

interface TerminalPickerProps {
  value: readonly Terminal[];
  error: string | undefined;
  onChange: (terminals: readonly Terminal[]) => void;
}

/** Maximum number of terminals shown. */
const SHOWN = 50;

interface Choice {
  value: string;
  label: string;
  terminal: Terminal;
  /** Its location and its protocol. */
  detail: string;
}

/** Registered room terminals to call into the meeting. */
export function TerminalPicker({ value, error, onChange }: TerminalPickerProps) {
  const t = useTexts('meetings');
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const keyword = useDebouncedValue(typed.trim());
  const found = useQuery({
    queryKey: ['terminals-to-book', keyword],
    queryFn: () => api.terminals.list({ query: { keyword, status: 'enabled', size: SHOWN } }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { quiet: true },
  });
  const kindWords = (kind: (typeof TERMINAL_KINDS)[number]) => t(`terminals.kind.${kind}`);
  const choiceOf = (terminal: Terminal, place = ''): Choice => ({
    value: terminal.id,
    label: terminal.name,
    terminal,
    detail: [place, kindWords(terminal.kind), terminal.address].filter(Boolean).join(' · '),
  });
  const choices = (found.data?.records ?? []).map(({ id, name, address, kind, room }) =>
    choiceOf({ id, name, address, kind }, room?.name),
  );

  return (
    <FormField label={t('terminals.title')} error={error} hint={t('terminals.hint')}>
      {(control) => (
        <Select<Choice[], Choice>
          {...control}
          mode="multiple"
          labelInValue
          value={value.map((one) => choiceOf(one))}
          options={choices}
          loading={found.isFetching}
          placeholder={t('terminals.placeholder')}
          notFoundContent={<NotFound found={found} keyword={keyword} isTyping={typed.trim() !== keyword} />}
          showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped, autoClearSearchValue: true }}
          maxTagTextLength={24}
          optionRender={drawTerminal}
          data-testid="meeting-terminals"
          onOpenChange={setIsOpen}
          onChange={(picked) => {
            // Looked up by value, because antd knows no label for options that were never in its list.
            const known = new Map([...value, ...choices.map(({ terminal }) => terminal)].map((one) => [one.id, one]));
            onChange(picked.flatMap(({ value: id }) => known.get(id) ?? []));
          }}
        />
      )}
    </FormField>
  );
}

function drawTerminal({ data: { label, detail } }: { data: Choice }) {
  return (
    <span className="booking-person" data-testid="meeting-terminal-option">
      <span>{label}</span>
      <small>{detail}</small>
    </span>
  );
}

interface NotFoundProps {
  found: { isError: boolean; isPending: boolean; data: unknown; refetch: () => unknown };
  keyword: string;
  isTyping: boolean;
}

/** The list's text while it is empty. */
function NotFound({ found, keyword, isTyping }: NotFoundProps) {
  const t = useTexts('meetings');
  if (found.isError && !found.data)
    return (
      <span className="booking-room-missing">
        {t('terminals.failed')}
        <Button onClick={() => void found.refetch()}>{t('rooms.retry')}</Button>
      </span>
    );
  if (found.isPending || isTyping) return t('rooms.loading');
  return t(keyword === '' ? 'terminals.none' : 'terminals.noMatch');
}
