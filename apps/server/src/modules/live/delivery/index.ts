export { createDelivery, Delivery, type Admission, type DeliveryOptions, type Replay } from './delivery.ts';
