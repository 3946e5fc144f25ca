import type { BookLimitAnswer, ChoosableResource } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { api } from '../../../lib/api/index.ts';
import { language, useTexts } from '../../../lib/i18n/index.ts';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import { FormField } from '../../../ui/FormField.tsx';
import type { FieldsProps } from '../booking/fields.ts';
import { hasConference, typedPhones, type Draft } from '../booking/draft.ts';
import { formatDuration, type MeetingTexts } from '../format.ts';
import { useAssignedResources, whomToAsk } from './useNoResources.ts';

/** How long the form must be unchanged before its limits are requested; ms. */
const SETTLE = 400;
/** Represents any free resource. */
const ANY = '';

/**
 * The media resource a meeting runs on, if the tenant has any; and immediately the limit that the booking exceeds, with
 * the contacts.
 */
export function ResourceField({ meeting, draft, errors, onChange }: FieldsProps) {
  const asked = useDebouncedValue(askedOf(draft, meeting?.meetId), SETTLE);
  const { startTime, duration, except } = asked ? (JSON.parse(asked) as Asked) : NOTHING;
  const choice = useQuery({
    queryKey: ['resources', 'choose', startTime, duration, except],
    queryFn: () =>
      api.resources.choose({ query: { startTime, duration, ...(except === undefined ? {} : { except }) } }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const assigned = useAssignedResources();
  const resources = choice.data?.resources;
  // Its space is reserved until the free capacity is known, so that nothing below it moves.
  const isOffered =
    (resources ?? assigned.data?.resources)?.length !== 0 &&
    !(resources === undefined && (choice.isError || assigned.isError));
  return (
    <>
      {hasConference(draft.type) && isOffered && (
        <ResourceSelect
          resources={resources}
          value={draft.resource}
          error={errors.resource}
          onChange={(resource) => onChange({ resource })}
        />
      )}
      <LimitNotice asked={asked} />
    </>
  );
}

interface Asked {
  type: Draft['type'];
  startTime: string;
  duration: number;
  terminals: number;
  resourceId?: string;
  except?: string;
}
const NOTHING: Partial<Asked> & Pick<Asked, 'startTime' | 'duration'> = { startTime: '', duration: 0 };

/**
 * The parameters of the limits request as text, so that an unchanged form requests once; empty if a value is missing.
 */
function askedOf(draft: Draft, except: string | undefined): string {
  const { type, startTime, duration, participants, terminals, resource } = draft;
  if (startTime === null || duration === null || duration < 1) return '';
  const called = type === 'VIDEO_MEETING' ? terminals.length : 0;
  const asked: Asked = {
    type,
    startTime,
    duration: Math.min(duration, 24 * 60),
    terminals: 1 + participants.length + typedPhones(draft).length + called,
    ...(resource && hasConference(type) ? { resourceId: resource.id } : {}),
    ...(except === undefined ? {} : { except }),
  };
  return JSON.stringify(asked);
}

interface ResourceSelectProps {
  /** Undefined while loading. */
  resources: readonly ChoosableResource[] | undefined;
  value: Draft['resource'];
  error: string | undefined;
  onChange: (resource: Draft['resource']) => void;
}

interface ResourceOption {
  value: string;
  label: string;
  /** Its free capacity as text. */
  words: string;
}

function ResourceSelect({ resources: found, value, error, onChange }: ResourceSelectProps) {
  const t = useTexts('meetings');
  const resources = found ?? [];
  const options: ResourceOption[] = [
    { value: ANY, label: t('resource.any'), words: '' },
    ...(found === undefined && value !== null ? [{ value: value.id, label: value.name, words: '' }] : []),
    ...resources.map((resource) => ({ value: resource.id, label: resource.name, words: freeWords(resource, t) })),
  ];
  const chosen = resources.find(({ id }) => id === value?.id);
  return (
    <FormField label={t('detail.resource')} error={error} hint={chosen ? freeWords(chosen, t) : t('resource.anyHint')}>
      {(control) => (
        <Select<string, ResourceOption>
          {...control}
          value={value?.id ?? ANY}
          options={options}
          loading={found === undefined}
          disabled={found === undefined}
          showSearch={{ optionFilterProp: 'label' }}
          optionRender={drawResource}
          data-testid="meeting-resource"
          onChange={(id) => onChange(resources.find((one) => one.id === id) ?? null)}
        />
      )}
    </FormField>
  );
}

function drawResource({ data: { label, words } }: { data: ResourceOption }) {
  return (
    <span className="booking-person">
      <span>{label}</span>
      <small>{words}</small>
    </span>
  );
}

/** The free capacity of a resource at the chosen time, as text. */
export function freeWords({ portsFree, ports, minutesFree, zone }: ChoosableResource, t: MeetingTexts): string {
  return (
    [
      zone,
      portsFree === null || ports === null ? '' : t('resource.portsFree', { free: portsFree, ports }),
      minutesFree === null ? '' : t('resource.minutesFree', { time: formatDuration(minutesFree) }),
    ]
      .filter((part) => part !== '')
      .join(' · ') || t('resource.unlimited')
  );
}

/** The limit that the current booking exceeds, and the contacts. */
function LimitNotice({ asked }: { asked: string }) {
  const t = useTexts('meetings');
  const { data } = useQuery({
    queryKey: ['resources', 'limit', asked],
    queryFn: () => api.resources.bookLimit({ query: JSON.parse(asked) as Asked }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const limit = asked === '' ? null : (data?.limit ?? null);
  return (
    <div role="status" className="booking-limit-place">
      {data && limit !== null && (
        <div className="booking-limit" data-limit={limit} data-testid="booking-limit">
          <p>{limitWords(limit, data.value, t)}</p>
          {whomToAsk(data.contacts, t).map((line) => (
            <p key={line} className="booking-limit-whom">
              {line}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

function limitWords(limit: NonNullable<BookLimitAnswer['limit']>, value: number | null, t: MeetingTexts): string {
  if (limit === 'resource') return t('noResources');
  if (limit === 'duration' || limit === 'hours') return t(`limit.${limit}`, { time: formatDuration(value ?? 0) });
  return t(`limit.${limit}`, { value: (value ?? 0).toLocaleString(language()) });
}
