import type { Meeting } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Select } from 'antd';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { DetailEntry } from '../detail/DetailEntry.tsx';
import { freeWords } from './ResourceField.tsx';
import { useAssignedResources } from './useNoResources.ts';

/** Represents no resource. */
const ANY = '';

/** The media resource of a meeting; users who may change the meeting can choose another one. */
export function DetailResource({ meeting }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const { can, resource } = meeting;
  const assigned = useAssignedResources(can.edit);
  const isChoice = can.edit && (assigned.data?.resources.length ?? 0) > 0;
  if (!isChoice && resource === null) return null;
  return (
    <DetailEntry name={t('detail.resource')}>
      {isChoice ? <ResourceChoice meeting={meeting} /> : resource?.name}
    </DetailEntry>
  );
}

function ResourceChoice({ meeting: { meetId, startTime, duration, resource, version } }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const client = useQueryClient();
  const choice = useQuery({
    queryKey: ['resources', 'choose', startTime, duration, meetId],
    queryFn: () => api.resources.choose({ query: { startTime, duration, except: meetId } }),
    meta: { quiet: true },
  });
  const assign = useMutation({
    mutationFn: (id: string | null) => api.resources.assign({ params: { id: meetId }, body: { resource: id } }),
    onSuccess: () => {
      toast('success', () => t('form.saved'));
      return Promise.all([
        client.invalidateQueries({ queryKey: ['meetings'] }),
        client.invalidateQueries({ queryKey: ['resources'] }),
      ]);
    },
  });
  const found = choice.data?.resources ?? [];
  const isListed = resource === null || found.some(({ id }) => id === resource.id);
  return (
    <Select
      key={version}
      className="meeting-resource"
      value={assign.isPending ? (assign.variables ?? ANY) : (resource?.id ?? ANY)}
      aria-label={t('detail.resource')}
      loading={choice.isPending || assign.isPending}
      disabled={choice.isPending || assign.isPending}
      showSearch={{ optionFilterProp: 'label' }}
      data-testid="detail-resource"
      options={[
        { value: ANY, label: t('resource.any') },
        ...(isListed ? [] : [{ value: resource.id, label: resource.name }]),
        ...found.map((one) => ({ value: one.id, label: `${one.name} · ${freeWords(one, t)}` })),
      ]}
      onChange={(id: string) => assign.mutate(id === ANY ? null : id)}
    />
  );
}
