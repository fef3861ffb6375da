import GRDB
import Hummingbird
import Crypto
import CryptoExtras
import Logging
import NIOCore
import HTTPTypes
