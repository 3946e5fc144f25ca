export { createDelivery, Delivery, type Admission, type DeliveryOptions } from './delivery.ts';
