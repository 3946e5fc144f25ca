export { createDelivery, Delivery, type Admission, type DeliveryOptions } from './delivery.ts';
export { fastPath } from './fast-path.ts';
