// Writes GTFS-realtime messages for tests. The writer leaves out what a sample does not state, as real feeds do.
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Epoch seconds of the header unless a test says otherwise. */
export const NOW = 1_728_169_927;

export interface GtfsSample {
  id?: string;
  lat?: number;
  lng?: number;
  speed?: number;
  timestamp?: number;
  status?: number;
  percent?: number;
  deleted?: boolean;
}

type Write = (writer: BinaryWriter) => void;
const message = (writer: BinaryWriter, field: number, write: Write) => {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
};

function header(writer: BinaryWriter, timestamp: number | undefined, differential: boolean): void {
  message(writer, 1, () => {
    writer.tag(1, WireType.LengthDelimited).string('2.0');
    writer.tag(2, WireType.Varint).int32(differential ? 1 : 0);
    if (timestamp !== undefined) writer.tag(3, WireType.Varint).uint64(timestamp);
  });
}

function vehicle(writer: BinaryWriter, sample: GtfsSample): void {
  const { lat = 43.5901, lng = -79.6401, speed, timestamp, status, percent, id } = sample;
  message(writer, 4, () => {
    if (!Number.isNaN(lat))
      message(writer, 2, () => {
        writer.tag(1, WireType.Bit32).float(lat);
        writer.tag(2, WireType.Bit32).float(lng);
        if (speed !== undefined) writer.tag(5, WireType.Bit32).float(speed);
      });
    if (timestamp !== undefined) writer.tag(5, WireType.Varint).uint64(timestamp);
    if (id !== undefined) message(writer, 8, () => writer.tag(1, WireType.LengthDelimited).string(id));
    if (status !== undefined) writer.tag(9, WireType.Varint).int32(status);
    if (percent !== undefined) writer.tag(10, WireType.Varint).uint32(percent);
    // An agency's extension, to be skipped.
    writer.tag(1001, WireType.LengthDelimited).string('private');
  });
}

/** A message of vehicle positions; `timestamp` is the header's. */
export function gtfsFeed(
  samples: GtfsSample[],
  timestamp: number | undefined = NOW,
  differential = false,
): Uint8Array {
  const writer = new BinaryWriter();
  header(writer, timestamp, differential);
  for (const [n, sample] of samples.entries())
    message(writer, 2, () => {
      writer.tag(1, WireType.LengthDelimited).string(`entity-${n}`);
      if (sample.deleted) writer.tag(2, WireType.Varint).bool(true);
      vehicle(writer, sample);
    });
  return writer.finish();
}
