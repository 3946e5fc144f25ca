import { TERMINAL_KINDS, type RegisteredTerminal } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { ApiError, api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { textInput, useForm } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import {
  draftOf,
  newTerminal,
  placeOf,
  terminalBody,
  terminalFaults,
  type TerminalDraft,
  type TerminalKind,
} from './draft.ts';
import { findTerminal, useRefreshTerminals, useRooms } from './queries.ts';
import { RoomSelect } from './RoomSelect.tsx';

interface TerminalDrawerProps {
  /** Null for a new one. */
  terminal: RegisteredTerminal | null;
  open: boolean;
  onClose: () => void;
}

/** Registers or changes a terminal. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one form
export function TerminalDrawer({ terminal, open, onClose }: TerminalDrawerProps) {
  const t = useTexts('terminals');

  const form = useTerminalForm({ terminal, open, onClose });
  const describe = useDescribe();
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={terminal ? t('form.titleEdit', { name: terminal.name }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      {...(terminal ? {} : { submitText: t('form.submitNew') })}
      testId="terminal-drawer"
    >
      <div className="admin-form-row">
        <FormField label={t('column.name')} required error={errors.name}>
          {(control) => <Input {...control} {...textInput(form, 'name', 60, 'field-name')} autoFocus />}
        </FormField>
        <FormField label={t('column.kind')} required error={errors.kind}>
          {(control) => (
            <Select<TerminalKind>
              {...control}
              value={draft.kind}
              options={TERMINAL_KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
              data-testid="terminal-kind"
              onChange={(kind) => change({ kind })}
            />
          )}
        </FormField>
      </div>
      <FormField label={t('column.address')} required error={errors.address} hint={t(`addressHint.${draft.kind}`)}>
        {(control) => <Input {...control} {...textInput(form, 'address', 255, 'field-address')} spellCheck={false} />}
      </FormField>
      <FormField label={t('column.room')} error={errors.roomId} hint={t('form.roomHint')}>
        {(control) => (
          <RoomSelect
            control={control}
            value={draft.roomId}
            placeholder={t('form.roomPlaceholder')}
            known={terminal?.room ? { id: terminal.room.id, label: placeOf(terminal.room) } : undefined}
            testId="terminal-room"
            onChange={(roomId) => change({ roomId })}
          />
        )}
      </FormField>
      <div className="admin-form-row">
        <FormField label={t('column.department')} error={errors.department} hint={t('form.departmentHint')}>
          {(control) => <Input {...control} {...textInput(form, 'department', 300, 'field-department')} />}
        </FormField>
        <FormField label={t('column.zone')} error={errors.zone} hint={t('form.zoneHint')}>
          {(control) => <Input {...control} {...textInput(form, 'zone', 60, 'field-zone')} spellCheck={false} />}
        </FormField>
      </div>
      <FormField label={t('column.note')} error={errors.note}>
        {(control) => (
          <Input.TextArea
            {...control}
            {...textInput(form, 'note', 500, 'field-note')}
            autoSize={{ minRows: 2, maxRows: 6 }}
          />
        )}
      </FormField>
      <SwitchField
        label={t('form.enabled')}
        hint={t('form.enabledHint')}
        checked={draft.enabled}
        testId="terminal-enabled"
        onChange={(enabled) => change({ enabled })}
      />
    </FormDrawer>
  );
}

/** The form of a terminal. */
function useTerminalForm({ terminal, onClose }: TerminalDrawerProps) {
  const t = useTexts('terminals');
  const admin = useTexts('admin');
  const refresh = useRefreshTerminals();
  return useForm<TerminalDraft, RegisteredTerminal>({
    initial: terminal ? draftOf(terminal) : newTerminal,
    version: terminal?.version ?? 0,
    keepAs: `terminal:${terminal?.id ?? 'new'}`,
    check: (draft) => terminalFaults(draft, t, admin),
    send: (draft, version) =>
      terminal
        ? api.terminals.update({ body: { ...terminalBody(draft), id: terminal.id, version } })
        : api.terminals.create({ body: terminalBody(draft) }),
    fieldOf: { TERMINAL_ADDRESS_TAKEN: 'address', ROOM_UNKNOWN: 'roomId' },
    newest: async () => {
      const now = terminal && (await findTerminal(terminal));
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: () => {
      void refresh();
      toast('success', () => (terminal ? admin('saved') : t('form.created')));
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(): Describe<TerminalDraft> {
  const t = useTexts('terminals');
  const admin = useTexts('admin');
  const rooms = useRooms();
  return (field, of) => {
    const room = rooms.data?.find(({ id }) => id === of.roomId);
    const words: Record<keyof TerminalDraft, [string, string]> = {
      name: [t('column.name'), of.name],
      address: [t('column.address'), of.address],
      kind: [t('column.kind'), t(`kind.${of.kind}`)],
      roomId: [t('column.room'), room ? placeOf({ name: room.name, building: room.building.name }) : ''],
      zone: [t('column.zone'), of.zone],
      department: [t('column.department'), of.department],
      note: [t('column.note'), of.note],
      enabled: [t('form.enabled'), admin(of.enabled ? 'yes' : 'no')],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}
