// Messages that wait to be stored, bounded in number and size: a flood, or a store that is away, must not fill the
// memory. Beyond the bounds the oldest are dropped, since newer values replace them anyway.
import type { MqttMessage } from '../../sources/live/mqtt.ts';

export interface ReceivedMessage extends MqttMessage {
  /** When it came, in milliseconds. */
  at: number;
}

export interface MessageBatch {
  messages: ReceivedMessage[];
  /** Messages that were dropped since the batch before. */
  dropped: number;
}

export interface MessageBuffer {
  push(message: ReceivedMessage): void;
  /** The oldest messages, as many as are stored at once. */
  take(): MessageBatch;
  /** Puts a batch that could not be stored back to the front. */
  putBack(batch: MessageBatch): void;
  isEmpty(): boolean;
  /** Whether a whole batch waits. */
  isFull(): boolean;
}

export interface BufferLimits {
  /** Messages of one batch, and their bytes. */
  batch: number;
  batch_bytes: number;
  /** All that wait. */
  waiting: number;
  waiting_bytes: number;
  /** A sensor sends a few hundred bytes; what is larger is no measurement. */
  message_bytes: number;
}

const MB = 1024 * 1024;
const bufferLimits: BufferLimits = {
  batch: 500,
  batch_bytes: 4 * MB,
  waiting: 5000,
  waiting_bytes: 16 * MB,
  message_bytes: MB / 4,
};

const messageSize = ({ topic, payload }: MqttMessage): number => topic.length + payload.length;

export function messageBuffer(limits: BufferLimits = bufferLimits): MessageBuffer {
  let waiting: ReceivedMessage[] = [];
  let size = 0;
  let dropped = 0;

  const trim = (): void => {
    while (waiting.length > limits.waiting || size > limits.waiting_bytes) {
      const oldest = waiting.shift();
      if (!oldest) return;
      size -= messageSize(oldest);
      dropped += 1;
    }
  };

  return {
    push(message) {
      if (messageSize(message) > limits.message_bytes) {
        dropped += 1;
        return;
      }
      waiting.push(message);
      size += messageSize(message);
      trim();
    },
    take() {
      let count = 0;
      let bytes = 0;
      for (const message of waiting.slice(0, limits.batch)) {
        bytes += messageSize(message);
        if (count > 0 && bytes > limits.batch_bytes) break;
        count += 1;
      }
      const batch = { messages: waiting.slice(0, count), dropped };
      waiting = waiting.slice(count);
      size -= batch.messages.reduce((sum, message) => sum + messageSize(message), 0);
      dropped = 0;
      return batch;
    },
    putBack(batch) {
      waiting = [...batch.messages, ...waiting];
      size += batch.messages.reduce((sum, message) => sum + messageSize(message), 0);
      dropped += batch.dropped;
      trim();
    },
    isEmpty: () => waiting.length === 0,
    isFull: () => waiting.length >= limits.batch || size >= limits.batch_bytes,
  };
}
