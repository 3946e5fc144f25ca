import { describe, expect, it } from 'vitest';
import { DependencyDescriptor } from '../src/codecs/dependency-descriptor.ts';
import { descriptor, l2t1, type DescriptorFields } from './support/descriptor.ts';

describe('dependency descriptor', () => {
  const read = (reader: DependencyDescriptor, fields: DescriptorFields) => {
    const bytes = descriptor(fields);
    return reader.parse(bytes, 0, bytes.length);
  };

  it('reads a handwritten structure with one template and one target', () => {
    const reader = new DependencyDescriptor();
    expect(reader.parse(Buffer.from([0xc0, 0x12, 0x34, 0x80, 0x00, 0xe0]), 0, 6)).toBe(true);
    expect(reader).toMatchObject({
      startOfFrame: true,
      endOfFrame: true,
      hasStructure: true,
      frameNumber: 0x1234,
      activeTargets: 1,
      spatialId: 0,
    });
    expect(reader.structure).toMatchObject({ spatialLayers: 1, chains: 0, targets: [{ spatialId: 0, temporalId: 0 }] });
    expect([...reader.indications]).toEqual([2]);
  });

  it('reads later frames by the templates, across the wrap of their ids at 64', () => {
    const reader = new DependencyDescriptor();
    expect(read(reader, { template: 2 })).toBe(false);
    expect(read(reader, { template: 62, structure: { ...l2t1, offset: 62 } })).toBe(true);
    expect(reader.structure).toMatchObject({
      spatialLayers: 2,
      chains: 2,
      targets: [{ spatialId: 0 }, { spatialId: 1 }],
    });
    expect(read(reader, { template: 1, start: false, frameNumber: 7 })).toBe(true);
    expect(reader).toMatchObject({
      startOfFrame: false,
      hasStructure: false,
      frameNumber: 7,
      spatialId: 1,
      activeTargets: 3,
    });
    expect([...reader.indications]).toEqual([0, 3]);
    expect(read(reader, { template: 2 })).toBe(false);
  });

  it('reads custom indications and active targets', () => {
    const reader = new DependencyDescriptor();
    read(reader, { structure: l2t1 });
    expect(read(reader, { template: 1, targets: 2, active: 1, indications: 'DS' })).toBe(true);
    expect([...reader.indications.subarray(0, 2)]).toEqual([1, 2]);
    expect(reader.activeTargets).toBe(1);
    expect(read(reader, { template: 1 })).toBe(true);
    expect(reader.activeTargets).toBe(1);
    expect([...reader.indications]).toEqual([2, 3]);
  });

  it('rejects every truncation and survives 50,000 mutations', () => {
    const whole = descriptor({ structure: l2t1, active: 3 });
    const refused = Array.from({ length: whole.length - 1 }, (_unused, length) =>
      new DependencyDescriptor().parse(whole, 0, length),
    );
    expect(refused).not.toContain(true);
    let random = 3;
    const reader = new DependencyDescriptor();
    const run = () => {
      for (let round = 0; round < 50_000; round += 1) {
        const copy = Buffer.from(whole);
        for (let i = 0; i < 3; i += 1) {
          random = (random * 1_103_515_245 + 12_345) & 0x7fffffff;
          copy[(random >> 8) % copy.length] = random >> 16;
        }
        reader.parse(copy, 0, 3 + (random % (copy.length - 2)));
      }
    };
    expect(run).not.toThrow();
  });
});
