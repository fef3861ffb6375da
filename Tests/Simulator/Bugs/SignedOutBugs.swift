import Foundation
import TrendyData
import TrendyDomain
import TrendyServer

extension PlantedBug {
    static let signedOutBugs = [signedOutCountsAttempt, signedOutParks]

    /// A token that is not accepted counts as an attempt of the mutation that was sent with it.
    private static let signedOutCountsAttempt = PlantedBug(
        name: "signed out counts as an attempt", promise: .signedOut, knownSeed: 1,
        plant: { _ in
            .sending { request, network in
                let response = try await network(request)
                if response.status == 401, request.isWrite { throw APIError.connection("not signed in") }
                return response
            }
        })

    /// A token that is not accepted parks the mutation that was sent with it.
    private static let signedOutParks = PlantedBug(
        name: "signed out parks", promise: .signedOut, knownSeed: 1,
        plant: { _ in
            .answers { response, request in
                guard response.status == 401, request.isWrite else { return response }
                return .problem(ServerProblem(.badRequest, "nobody is signed in"))
            }
        })
}
